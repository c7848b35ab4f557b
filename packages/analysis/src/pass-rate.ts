/** The name under which the share of passing repeats is compared. */
export const PASS_RATE = 'pass rate';
