"""Metrics in the format of Prometheus.

What the database counts is the same at every server: jobs, queues, workers, latencies, also of pools that no server
sees. What a process counts itself has the label `replica`. One request returns the metrics of all server processes, so
it does not matter which of them answers.

    from_database  metrics that are read from the database
    of_process     metrics of this process: requests, sockets, connections, delays of its event loop, times of jobs
    metric_family  metric families as plain values, which can be sent to another server
    page           gathers the metrics of all servers and renders them
"""
