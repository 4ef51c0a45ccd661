// Buttons that save the profile of a function as a pstats or speedscope file.
import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "@/lib/api/client";
import { notifyError } from "@/lib/notifications";

export function Downloads({ name }: { name: string }) {
  const [busy, setBusy] = useState(false);
  const save = async (format: "prof" | "speedscope") => {
    setBusy(true);
    try {
      const { data } = await api.GET("/api/profiles/{function}/export", {
        params: { path: { function: name }, query: { format } },
        parseAs: "blob",
      });
      const address = URL.createObjectURL(data!);
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
