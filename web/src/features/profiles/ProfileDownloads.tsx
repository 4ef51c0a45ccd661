// Buttons that save the profile of a function as a pstats or speedscope file.
import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { call } from "@/lib/api/client";
import { notifyError } from "@/lib/notifications";

export function Downloads({ name }: { name: string }) {
  const [busy, setBusy] = useState(false);
  const save = async (format: "prof" | "speedscope") => {
    setBusy(true);
    try {
      const answer = await call("GET", `/api/profiles/${encodeURIComponent(name)}/export`, {
        query: { format },
      });
      const address = URL.createObjectURL(await answer.blob());
      const link = document.createElement("a");
      link.href = address;
      link.download = `${name}.${format === "prof" ? "prof" : "speedscope.json"}`;
      link.click();
      URL.revokeObjectURL(address);
    } catch (error) {
      notifyError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={15} />}
        loading={busy}
        onClick={() => save("prof")}
      >
        pstats
      </Button>
      <Button
        variant="default"
        leftSection={<IconDownload size={15} />}
        loading={busy}
        onClick={() => save("speedscope")}
      >
        speedscope
      </Button>
    </>
  );
}
