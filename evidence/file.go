package evidence

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The names of the file form: a directory, or a zip of the same names.
const (
	sessionFile = "session.json"
	runsDir     = "runs"
	bodiesDir   = "bodies"
	zipEnding   = ".zip"
)

// Save writes a recording to a directory, or to a zip where path ends in .zip: session.json, one document per run in
// runs/, and each large body once in bodies/ under its SHA-256. Equal recordings give equal bytes.
//
// It is written beside path under a temporary name and renamed when it is whole. A recording that stands at path is
// replaced; anything else that stands there is left alone, and the error says so.
func Save(path string, s Session, runs []Run) error {
	path = filepath.Clean(path)
	replaces, err := mayReplace(path)
	if err != nil {
		return fmt.Errorf("write the recording: %w", err)
	}
	s.Schema = SchemaVersion
	if strings.HasSuffix(path, zipEnding) {
		err = writeZip(path, s, runs)
	} else {
		err = writeDirectory(path, replaces, s, runs)
	}
	if err != nil {
		return fmt.Errorf("write the recording to %s: %w", path, err)
	}
	return nil
}

// CanSave says why Save would refuse path, so that a caller can ask before it records anything.
func CanSave(path string) error {
	_, err := mayReplace(filepath.Clean(path))
	return err
}

// mayReplace tells whether something stands at path, and refuses what is no recording and not empty.
func mayReplace(path string) (bool, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case strings.HasSuffix(path, zipEnding) && (info.IsDir() || !holdsSession(path)):
		return false, fmt.Errorf("%s is there already and is no recording: name another file", path)
	case strings.HasSuffix(path, zipEnding):
		return true, nil
	case !info.IsDir():
		return false, fmt.Errorf("%s is a file: name a directory, or a file that ends in .zip", path)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return false, err
	}
	if len(entries) > 0 && !holdsSession(path) {
		return false, fmt.Errorf("%s is not empty and holds no recording: name a new or an empty directory", path)
	}
	return true, nil
}

// holdsSession tells whether the session of a recording, of any version, stands at path.
func holdsSession(path string) bool {
	source, err := openSource(path)
	if err != nil {
		return false
	}
	defer source.close()
	data, err := source.read(sessionFile, limitDocument)
	if err != nil {
		return false
	}
	v, _ := ReadJSON(data)
	_, ok := v.Member("schema").Int()
	return ok
}

// writeFiles hands every file of a recording to put, in the order of the zip.
func writeFiles(s Session, runs []Run, put func(name string, data []byte) error) error {
	data, err := document(s)
	if err != nil {
		return fmt.Errorf("session: %w", err)
	}
	if err := put(sessionFile, data); err != nil {
		return err
	}
	bodies := map[string][]byte{}
	collect := func(x *Exchange) {
		for _, b := range bodiesOf(x) {
			if b.SHA256 != "" {
				bodies[b.SHA256] = b.Bytes
			}
		}
	}
	for i := range s.Strays {
		collect(&s.Strays[i])
	}
	width := max(4, len(strconv.Itoa(len(runs))))
	for i := range runs {
		data, err := document(runs[i])
		if err != nil {
			return fmt.Errorf("run %s: %w", runs[i].ID, err)
		}
		name := fmt.Sprintf("%s/%0*d-%s.json", runsDir, width, i+1, safeID(runs[i].ID))
		if err := put(name, data); err != nil {
			return err
		}
		for j := range runs[i].Exchanges {
			collect(&runs[i].Exchanges[j])
		}
	}
	for _, hash := range slices.Sorted(maps.Keys(bodies)) {
		if err := put(bodiesDir+"/"+hash, bodies[hash]); err != nil {
			return err
		}
	}
	return nil
}

// bodiesOf lists the bodies of an exchange so that they can be filled in.
func bodiesOf(x *Exchange) []*Body {
	found := []*Body{&x.Request.Body}
	if x.Response != nil {
		found = append(found, &x.Response.Body)
	}
	return found
}

func document(v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(v)
	return b.Bytes(), err
}

// safeID makes a file name of the id of a run: short, and free of what a shell or a file system reads differently.
func safeID(id string) string {
	const longest = 80
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_=", r) {
			return r
		}
		return '-'
	}, id)
	return safe[:min(longest, len(safe))]
}

func writeDirectory(path string, replaces bool, s Session, runs []Run) (err error) {
	parent := filepath.Dir(path)
	if err := os.MkdirAll(parent, openDir); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(parent, "."+filepath.Base(path)+".new-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(fresh)) }()
	whole := filepath.Join(fresh, "recording")
	for _, dir := range []string{whole, filepath.Join(whole, runsDir), filepath.Join(whole, bodiesDir)} {
		if err := os.Mkdir(dir, openDir); err != nil {
			return err
		}
	}
	put := func(name string, data []byte) error {
		return os.WriteFile(filepath.Join(whole, filepath.FromSlash(name)), data, openFile)
	}
	if err := writeFiles(s, runs, put); err != nil {
		return err
	}
	if replaces {
		// What stood there goes into the temporary directory, and with it.
		if err := os.Rename(path, filepath.Join(fresh, "replaced")); err != nil {
			return err
		}
	}
	return os.Rename(whole, path)
}

// A recording has its secrets replaced and is made to be handed on: others may read it, as they may any report.
const (
	openDir  = 0o755
	openFile = 0o644
)

func writeZip(path string, s Session, runs []Run) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), openDir); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".new-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, ignoreClosed(file.Close()), os.Remove(file.Name()))
		}
	}()
	archive := zip.NewWriter(file)
	put := func(name string, data []byte) error {
		// No time is written: it would make equal recordings differ.
		w, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		if err != nil {
			return err
		}
		_, err = io.Copy(w, bytes.NewReader(data))
		return err
	}
	if err := errors.Join(writeFiles(s, runs, put), archive.Close(), file.Chmod(openFile)); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

func ignoreClosed(err error) error {
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}
