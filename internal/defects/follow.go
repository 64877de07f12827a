package defects

// followDefects are wrong in how they read a Task or cancel it.
func followDefects() []Defect {
	return []Defect{
		{Name: "get-by-post", About: "it reads a Task with POST", Kills: "TASK-05", Also: []string{"FLOW-16"}, Shows: "get-task"},
		{Name: "get-without-version", About: "it reads a Task at /api/a2a/tasks/", Kills: "TASK-05", Shows: "get-task"},
		{Name: "get-without-the-prefix", About: "it reads a Task without the path of rpc_url", Kills: "TASK-05", Shows: "get-refreshed"},
		{Name: "get-ends-in-a-slash", About: "it puts a slash behind the id of the Task that it reads", Kills: "TASK-05", Shows: "get-task"},
		{Name: "get-by-query", About: "it reads a Task with its id in the query", Kills: "TASK-05", Also: []string{"FLOW-16"}, Shows: "get-task"},
		{Name: "get-without-a-token", About: "it reads a Task without authorisation", Kills: "TASK-05", Shows: "get-task"},
		{Name: "get-with-the-platform-token", About: "it reads a Task with the platform token", Kills: "TASK-05", Also: []string{"REQ-19", "TASK-09"}, Shows: "get-task"},
		{Name: "get-at-the-platform", About: "it reads a Task at the platform", Kills: "TASK-05", Also: []string{"REQ-19"}, Shows: "get-task"},
		{Name: "get-again-at-the-old-address", About: "it reads a Task at the address of before when access was rejected", Kills: "TASK-05", Also: []string{"REQ-19"}, Shows: "get-refreshed"},
		{Name: "cancel-by-delete", About: "it cancels a Task with DELETE", Kills: "TASK-06", Also: []string{"FLOW-16"}, Shows: "cancel-task"},
		{Name: "cancel-by-get", About: "it cancels a Task with GET", Kills: "TASK-06", Also: []string{"FLOW-16", "RESP-15"}, Shows: "cancel-task"},
		{Name: "cancel-behind-a-slash", About: "it cancels a Task at /cancel", Kills: "TASK-06", Shows: "cancel-task"},
		{Name: "cancel-without-the-prefix", About: "it cancels a Task without the path of rpc_url", Kills: "TASK-06", Shows: "cancel-refreshed"},
		{Name: "cancel-without-a-token", About: "it cancels a Task without authorisation", Kills: "TASK-06", Shows: "cancel-task"},
		{Name: "cancel-with-the-platform-token", About: "it cancels a Task with the platform token", Kills: "TASK-06", Also: []string{"REQ-19", "TASK-09"}, Shows: "cancel-task"},
		{Name: "cancel-again-at-the-old-address", About: "it cancels a Task at the address of before when access was rejected", Kills: "TASK-06", Also: []string{"REQ-19"}, Shows: "cancel-refreshed"},
		{Name: "task-id-not-escaped", About: "it puts a task id into the path as it is", Kills: "TASK-11", Also: []string{"REQ-23"}, Shows: "get-with-path-characters"},
		{Name: "slashes-of-a-task-id-kept", About: "it leaves the slashes of a task id as they are", Kills: "TASK-11", Also: []string{"REQ-23"}, Shows: "get-with-path-characters"},
		{Name: "token-admits-a-get", About: "it reads a Task whenever it is given a token", Kills: "TASK-09", Shows: "get-while-it-looks-ready"},
		{Name: "token-admits-a-cancel", About: "it cancels a Task whenever it is given a token", Kills: "TASK-09", Shows: "cancel-while-it-looks-ready"},
		{Name: "anything-admits-a-get", About: "it reads a Task with old access whatever the platform says", Kills: "TASK-09", Also: []string{"FLOW-11", "TASK-16"}, Shows: "get-while-it-looks-ready"},
		{Name: "anything-admits-a-cancel", About: "it cancels a Task with old access whatever the platform says", Kills: "TASK-09", Also: []string{"FLOW-11", "TASK-16"}, Shows: "cancel-while-it-looks-ready"},
		{Name: "get-keeps-rejected-access", About: "it keeps access that was rejected when it read a Task", Kills: "TASK-09", Also: []string{"AUTH-11", "CACHE-08"}, Shows: "get-rejected-is-forgotten"},
		{Name: "cancel-keeps-rejected-access", About: "it keeps access that was rejected when it cancelled a Task", Kills: "TASK-09", Also: []string{"AUTH-11", "CACHE-08"}, Shows: "cancel-rejected-is-forgotten"},
		{Name: "get-again-with-the-old-token", About: "it reads a Task again with the rejected token", Kills: "TASK-09", Also: []string{"TASK-05"}, Shows: "get-rejected-is-forgotten"},
		{Name: "cancel-again-with-the-old-token", About: "it cancels a Task again with the rejected token", Kills: "TASK-09", Also: []string{"TASK-06"}, Shows: "cancel-rejected-is-forgotten"},
		{Name: "get-not-ready-as-a-timeout", About: "it reports a direction that does not fit as a timeout when it reads a Task", Kills: "TASK-09", Also: []string{"FLOW-11"}, Shows: "get-does-not-fit"},
		{Name: "cancel-not-ready-as-a-timeout", About: "it reports a direction that does not fit as a timeout when it cancels a Task", Kills: "TASK-09", Also: []string{"FLOW-11"}, Shows: "cancel-does-not-fit"},
		{Name: "get-sleeps-out-the-budget", About: "it sleeps out the budget of a get or cancel before it says that the direction does not fit", Kills: "FLOW-12", Shows: "get-does-not-fit"},
		{Name: "get-not-refreshed", About: "it gives up on a 401 or 403 when it reads a Task", Kills: "TASK-16", Shows: "get-refreshed"},
		{Name: "get-not-refreshed-after-403", About: "it gives up on a 403 when it reads a Task", Kills: "TASK-16", Shows: "get-refreshed"},
		{Name: "cancel-not-refreshed", About: "it gives up on a 401 or 403 when it cancels a Task", Kills: "TASK-16", Shows: "cancel-refreshed"},
		{Name: "cancel-not-refreshed-after-403", About: "it gives up on a 403 when it cancels a Task", Kills: "TASK-16", Shows: "cancel-refreshed"},
		{Name: "third-get", About: "it reads a Task a third time when the second is answered 401", Kills: "TASK-16", Also: []string{"TASK-09"}, Shows: "get-rejected-twice"},
		{Name: "third-cancel", About: "it cancels a Task a third time when the second is answered 401", Kills: "TASK-16", Also: []string{"TASK-09"}, Shows: "cancel-rejected-twice"},
		{Name: "get-does-not-wait", About: "it does not wait for a transient runtime when it reads a Task", Kills: "TASK-16", Shows: "get-waits"},
		{Name: "cancel-does-not-wait", About: "it does not wait for a transient runtime when it cancels a Task", Kills: "TASK-16", Shows: "cancel-waits"},
		{Name: "get-asks-early", About: "it asks again when half of the direction is over, for a get or cancel", Kills: "TASK-16", Shows: "get-waits"},
		{Name: "get-waits-three-times-as-long", About: "it waits three times as long as directed, for a get or cancel", Kills: "TASK-16", Shows: "get-waits"},
	}
}

// followBudgetDefects are wrong about the time of a get or cancel.
func followBudgetDefects() []Defect {
	return []Defect{
		{Name: "number-is-no-total-for-a-get", About: "it takes no total from a timeout of a get that is a number", Kills: "BUD-13", Also: []string{"FLOW-11", "FLOW-12", "TASK-09"}, Shows: "get-hangs"},
		{Name: "number-is-no-total-for-a-cancel", About: "it takes no total from a timeout of a cancel that is a number", Kills: "BUD-14", Also: []string{"FLOW-11", "FLOW-12", "TASK-09"}, Shows: "cancel-hangs"},
		{Name: "get-not-counted", About: "it does not count the time of a get", Kills: "BUD-13", Shows: "get-hangs"},
		{Name: "cancel-not-counted", About: "it does not count the time of a cancel", Kills: "BUD-14", Shows: "cancel-hangs"},
		{Name: "body-of-a-get-not-counted", About: "it does not count the body of the answer to a get", Kills: "BUD-13", Shows: "get-hangs"},
		{Name: "body-of-a-cancel-not-counted", About: "it does not count the body of the answer to a cancel", Kills: "BUD-14", Shows: "cancel-hangs"},
		{Name: "resolve-of-a-get-not-counted", About: "it does not count the resolve of a get", Kills: "BUD-13", Shows: "get-resolve-hangs"},
		{Name: "resolve-of-a-cancel-not-counted", About: "it does not count the resolve of a cancel", Kills: "BUD-14", Shows: "cancel-resolve-hangs"},
		{Name: "refresh-of-a-get-restarts-the-budget", About: "it starts the budget of a get or cancel anew when access was rejected", Kills: "BUD-13", Shows: "get-rejected-late"},
		{Name: "get-ends-a-second-late", About: "it ends a get a second after its budget", Kills: "BUD-13", Shows: "get-hangs"},
		{Name: "cancel-ends-a-second-late", About: "it ends a cancel a second after its budget", Kills: "BUD-14", Shows: "cancel-hangs"},
		{Name: "get-ends-early", About: "it ends a get after seven tenths of its budget", Kills: "BUD-13", Shows: "get-hangs"},
		{Name: "cancel-ends-early", About: "it ends a cancel after seven tenths of its budget", Kills: "BUD-14", Shows: "cancel-hangs"},
		{Name: "phases-of-a-get-ignored", About: "it ignores the phases of a pair in a get", Kills: "BUD-13", Shows: "get-in-a-pair"},
		{Name: "phases-of-a-cancel-ignored", About: "it ignores the phases of a pair in a cancel", Kills: "BUD-14", Shows: "cancel-in-a-pair"},
		{Name: "get-of-a-minute-by-default", About: "it waits for a minute by default when it reads a Task", Kills: "BUD-04", Shows: "get-by-default-drips"},
		{Name: "get-of-an-hour-by-default", About: "it waits for an hour by default when it reads a Task", Kills: "BUD-04", Shows: "get-by-default-drips"},
		{Name: "cancel-of-a-minute-by-default", About: "it waits for a minute by default when it cancels a Task", Kills: "BUD-04", Shows: "cancel-by-default-drips"},
		{Name: "cancel-of-an-hour-by-default", About: "it waits for an hour by default when it cancels a Task", Kills: "BUD-04", Shows: "cancel-by-default-drips"},
		{Name: "timeout-of-a-get-as-a-broken-exchange", About: "it reports the timeout of a get as a broken connection", Kills: "BUD-13", Shows: "get-hangs"},
		{Name: "timeout-of-a-cancel-as-a-broken-exchange", About: "it reports the timeout of a cancel as a broken connection", Kills: "BUD-14", Shows: "cancel-hangs"},
		{Name: "cancel-again-after-the-timeout", About: "it cancels a Task once more when its timeout is over", Kills: "BUD-14", Shows: "cancel-does-not-connect"},
	}
}

// waitDefects are wrong in how they wait for the end of a Task.
func waitDefects() []Defect {
	return []Defect{
		{Name: "wait-blind-to-completed", About: "it waits on when a Task is completed", Kills: "TASK-07", Shows: "life-of-a-task"},
		{Name: "wait-blind-to-failed", About: "it waits on when a Task has failed", Kills: "TASK-07", Shows: "wait-until-the-end"},
		{Name: "wait-blind-to-canceled", About: "it waits on when a Task is canceled", Kills: "TASK-07", Shows: "wait-until-the-end"},
		{Name: "wait-blind-to-rejected", About: "it waits on when a Task is rejected", Kills: "TASK-07", Shows: "wait-until-the-end"},
		{Name: "wait-ends-at-submitted", About: "it returns from a wait while the Task is only submitted", Kills: "TASK-07", Shows: "wait-until-the-end"},
		{Name: "wait-ends-at-working", About: "it returns from a wait while the Task is worked on", Kills: "TASK-07", Shows: "life-of-a-task"},
		{Name: "wait-without-a-pause", About: "it reads a Task that it waits for every 10 ms", Kills: "TASK-15", Shows: "wait-runs-out"},
		{Name: "wait-pauses-for-half-as-long", About: "it pauses for half of poll_interval", Kills: "TASK-15", Shows: "wait-runs-out"},
		{Name: "wait-asks-every-second", About: "it reads a Task that it waits for every second, whatever poll_interval says", Kills: "TASK-15", Shows: "wait-at-long-intervals"},
		{Name: "wait-looks-once-more-at-its-limit", About: "it reads the Task once more when its limit is over", Kills: "TASK-15", Shows: "wait-runs-out"},
		{Name: "wait-ends-half-a-minute-late", About: "it waits for half a minute longer than wait_timeout says", Kills: "TASK-15", Shows: "wait-runs-out"},
	}
}
