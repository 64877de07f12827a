// Package selftest judges the judges: it runs every deliberately wrong client of package defects and shows that the rule
// it breaks notices, alone or together with the rules that must notice too; and it runs the clients that are right in
// an unusual way and shows that no rule that binds minds them.
//
// A defect is compared with its twin, the same client without the defect, in the same cases. It is
//   - killed where its rule fails in a run in which the rule does not fail for the twin, and where over all of the
//     defect's cases the rules that fail are exactly those that it names;
//   - mislabelled where other rules fail, or one that it names does not;
//   - silent where its evidence differs from the twin's and no rule fails;
//   - dead where its evidence never differs: its switch is never read, or reading it changes nothing.
//
// Where the cases are many, a client is run in a share of them first, and in the others if that is not enough: a defect
// that is not killed by then, a variant that has done nothing else than its twin.
//
// # Runs that need not be made
//
// Hundreds of defects in a thousand cases are more runs than anybody waits for. Most of them would only say again what
// the twin's run said, and that is known beforehand. On virtual time a run is the same each time it is made, byte for
// byte. A defect is a switch, read at one place of a client that is otherwise the twin; up to the moment in which the
// switch is read for the first time the two do exactly the same. So in a case in which the twin never asks for the
// switch, the defect never does either, and its evidence is the twin's. The twin therefore notes what it asks for, and
// a defect is run only where its switch was asked for. Of these runs only those whose evidence differs are judged, for
// rules are pure: equal evidence gives equal checks. A test makes the runs that were left out and compares.
//
// The room holds the comparison and how its outcome is written. The clients belong to package defects, how a run is
// made to package runner, and what a rule asks to package suites.
package selftest
