/** The smallest change that counts unless the user says otherwise, as a share of the scale: 5 points. */
export const MIN_EFFECT = 0.05;
