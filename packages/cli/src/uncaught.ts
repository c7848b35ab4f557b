/** The problem that an outcome records after uncaught errors. */
export const UNCAUGHT = 'there were errors outside of any turn';
