// Buttons that are seen only with the keyboard's focus: they lead past the toolbar of the viewer to the panels.
import { UnstyledButton } from "@mantine/core";
import { focusPanel } from "@/app/room/PanelContent";
import { usePanelDock } from "@/app/room/panelDockCommands";
import { panels } from "@/app/room/panelRegistry";
import classes from "./PanelSkipLinks.module.css";

export function PanelSkipLinks() {
  const show = usePanelDock((dock) => dock.show);
  return (
    <nav aria-label="Skip to a panel" className={classes.links}>
      {panels
        .filter(({ open }) => open)
        .map(({ id, title }) => (
          <UnstyledButton
            key={id}
            className={classes.link}
            onClick={() => {
              show(id);
              focusPanel(id);
            }}
          >
            Skip to {title}
          </UnstyledButton>
        ))}
    </nav>
  );
}
