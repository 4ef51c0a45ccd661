// Stands for packages that are imported by others but never used here.
export default undefined;
