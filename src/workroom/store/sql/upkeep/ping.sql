-- Whether the session still answers.
SELECT true
