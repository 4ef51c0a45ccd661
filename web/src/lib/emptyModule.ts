// Replaces packages that other packages import but this app does not use.
export default undefined;
