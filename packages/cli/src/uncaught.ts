/** Why the exit code is not 0 after errors that nobody has caught, as an outcome records it. */
export const UNCAUGHT = 'there were errors outside of any turn';
