// The theme of all pages. Grey, yellow, blue, green and red are reserved for job states; the accent colour is none of them.
import {
  ActionIcon,
  Badge,
  Button,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  Modal,
  Notification,
  Table,
  Tooltip,
} from "@mantine/core";

const iris: MantineColorsTuple = [
  "#f3f1fd",
  "#e3dff8",
  "#c5bdf0",
  "#a598e8",
  "#8a79e1",
  "#7865dd",
  "#6655cf",
  "#5b4bc4",
  "#4c3dab",
  "#3e3192",
];

/** Greys with a little blue, so that dark panels do not look brown. */
const dark: MantineColorsTuple = [
  "#dfe0e6",
  "#b9bcc7",
  "#9599a6",
  "#6c707d",
  "#474a55",
  "#363943",
  "#282a32",
  "#1c1d22",
  "#17181c",
  "#131418",
];

export const theme = createTheme({
  colors: { iris, dark },
  primaryColor: "iris",
  primaryShade: { light: 7, dark: 6 },
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, 'DejaVu Sans Mono', monospace",
  defaultRadius: "sm",
  cursorType: "pointer",
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "18px" },
  headings: {
    fontWeight: "620",
    sizes: {
      h1: { fontSize: "22px" },
      h2: { fontSize: "18px" },
      h3: { fontSize: "15px" },
      h4: { fontSize: "14px" },
    },
  },
  components: {
    Button: Button.extend({ defaultProps: { size: "xs" } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: "subtle", color: "gray", size: "md" } }),
    // The close buttons of dialogs have no name otherwise.
    Modal: Modal.extend({ defaultProps: { closeButtonProps: { "aria-label": "Close" } } }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { "aria-label": "Close" } } }),
    Badge: Badge.extend({ defaultProps: { variant: "light", radius: "sm", tt: "none" } }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 6, horizontalSpacing: "sm", fz: "sm" } }),
    Tooltip: Tooltip.extend({ defaultProps: { withArrow: true, openDelay: 250, fz: "xs" } }),
  },
});

const OVERRIDES = {
  "--mantine-color-body": "var(--wr-canvas)",
  "--mantine-color-dimmed": "var(--wr-quiet)",
  "--mantine-color-default-border": "var(--wr-line)",
  "--mantine-color-default": "var(--wr-surface)",
  "--mantine-color-error": "var(--wr-wrong)",
};

/** Overrides colours of the component library. */
export const resolveCssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...OVERRIDES, "--mantine-color-text": "#1d1e24", "--mantine-color-placeholder": "#767a86" },
  dark: { ...OVERRIDES, "--mantine-color-text": "#dfe0e6", "--mantine-color-placeholder": "#8b8f9b" },
});
