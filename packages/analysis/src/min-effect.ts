/** The default for the smallest change that counts, as a share of the scale: 5 points. */
export const MIN_EFFECT = 0.05;
