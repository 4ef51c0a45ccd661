-- How much workers do. Jobs cannot tell it cheaply: no index leads to those that ended a moment ago, and one more would cost
-- every job. So whoever takes in reports counts them, and writes the counts down a few times a minute.

CREATE TABLE stint (
    worker_id uuid        NOT NULL REFERENCES worker (id) ON DELETE CASCADE,
    place     smallint    NOT NULL CHECK (place >= 0),
    began_at  timestamptz NOT NULL,
    ended     integer     NOT NULL CHECK (ended > 0),
    failed    integer     NOT NULL CHECK (failed BETWEEN 0 AND ended),
    PRIMARY KEY (worker_id, place)
) WITH (fillfactor = 50);
COMMENT ON TABLE stint IS 'What a worker ended within ten seconds. A worker has a ring of thirty: five minutes.';
COMMENT ON COLUMN stint.worker_id IS 'Set when the worker first ended something in this place of its ring.';
COMMENT ON COLUMN stint.place IS 'Which of the thirty it is: follows from began_at.';
COMMENT ON COLUMN stint.began_at IS 'When the ten seconds began; set when the place is taken anew, five minutes or more later.';
COMMENT ON COLUMN stint.ended IS 'How many tries ended, counted by whoever took in their reports; one that is repeated counts.';
COMMENT ON COLUMN stint.failed IS 'How many of them failed.';
