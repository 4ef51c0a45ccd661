           -- Columns: the workers that offer `extension`; of these, those with an open breaker, with its resources, with enough time.
           count(*) AS workers,
           count(*) FILTER (WHERE offer.opened_at IS NOT NULL
               AND breaker_state(offer.opened_at, extension.breaker_seconds, offer.failed_for, extension.id) = 'open') AS closed,
           count(*) FILTER (WHERE extension.resources IS NULL OR resources_cover(worker.resources, extension.resources)) AS equipped,
           count(*) FILTER (WHERE (extension.resources IS NULL OR resources_cover(worker.resources, extension.resources))
               AND (worker.ends_at IS NULL
                    OR worker.ends_at >= now() + coalesce(extension.timeout_seconds, 0) * interval '1 second')) AS lasting
