"""Runs one attempt at a job in a remote worker: from its assignment to the report of its outcome.

Assignment ──► Pipeline: resolve, validate, start ──► Executor.perform ──► Outcome ──► report
                  │                                     ThreadExecutor       a thread of the worker
                  ▼                                     OneShotExecutor      a process for this job
               Execution: state shared with the job     WarmProcessExecutor  a warm process
                  └── JobReporter: progress and log lines, in batches

pipeline            the steps of an execution
execution_state     one attempt: its assignment, its reporter, and the request to stop
executors           the executor interface, and `ThreadExecutor`
tasks               an extension or a function with its arguments
outcome_conversion  what a run returned or raised, as an outcome
job_room            `JobRoom`: the room that `run` gets as `vis`
reporter            progress and log lines on their way to the server
choices_question    answers to forms: which values a field can have
start_and_end_log   the start and end of each job in the log of the process
capture             what a job prints and logs
tqdm_patch          tqdm bars as progress
daemon_threads      the threads of `ThreadExecutor`
"""
