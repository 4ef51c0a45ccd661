/**
 * For a field in a popover. Its list of choices is part of the popover, so that a click on a choice does not close the popover;
 * and its place is fixed, so that a popover that scrolls does not cut the list off.
 */
export const DROPDOWN_IN_POPOVER = { withinPortal: false, floatingStrategy: "fixed" } as const;
