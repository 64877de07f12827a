package command

// Help is what --help says.
const Help = `Send one message to an existing agent session with the reference client, and write the Agent's answer.

No other command has to be run first: the session may be asleep, and is waited for within the timeout. The message is
sent once. It is sent a second time, unchanged, only when the runtime rejects its credentials and the platform gives
fresh ones. Whether to send it again after a failure is yours to choose: standard error ends with the message id then.

Usage:
  a2a-conform agent session a2a send UID --message TEXT [flags]

Examples:
  a2a-conform agent session a2a send 0b2701a1-e777-4cfe-8437-b94025f00069 --message "What can you do?"
  a2a-conform agent session a2a send UID --message "Return a JSON dictionary with the key ok." --strict-dictionary
  a2a-conform agent session a2a send UID --message-file question.txt --file report.pdf --timeout 120
  a2a-conform agent session a2a send UID --message-id msg-client-uuid-1 --message "What can you do?"

Flags:
      --message TEXT             the message
      --message-file FILE        the message is what FILE holds, to its last byte; - is standard input
      --file FILE                send FILE with the message, up to 15 MiB; repeatable
      --media-type TYPE          the media type of the --file in the same place; guessed for .pdf where none is given
      --strict-dictionary        ask for one JSON dictionary as the answer
      --json-repair-attempts N   how often the Agent may repair its dictionary, from 1 (default 3)
      --message-id ID            the id of the message, to send one again by choice; a new one where it is not given
      --response-kind KIND       message, the default, or task for work that takes longer than a message may
      --timeout SECONDS          the time for everything together; fractions are taken (default 5 to connect, 905 in all)
  -h, --help                     help for send

Environment:
  MAINSEQUENCE_ENDPOINT            the platform's base URL
  MAINSEQUENCE_ACCESS_TOKEN        the token for the platform
  MAINSEQUENCE_ACCESS_TOKEN_FILE   a file that holds the token, in place of MAINSEQUENCE_ACCESS_TOKEN
  MAINSEQUENCE_REFRESH_TOKEN       renews the token when it is over; may be absent
  MAINSEQUENCE_AUTH_MODE           jwt or absent

Runtime access is kept between commands in $XDG_CONFIG_HOME/a2a-conform/runtime_access_cache.json, by default below
$HOME/.config, for its owner alone. The file may be deleted at any time.

Exit codes:
  0    the answer is on standard output, as JSON
  1    the send failed; the reason and the message id are on standard error
  2    the command line, the environment or a file is wrong; nothing was sent
  130  interrupted
  143  terminated
`
