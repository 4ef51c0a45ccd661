-- Workers online, by kind.
SELECT kind, count(*) FROM worker WHERE attached AND gone_at IS NULL GROUP BY kind
