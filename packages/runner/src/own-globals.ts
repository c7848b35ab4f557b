// An agent may replace a global, by accident or for its own ends. What it did is recorded, and read again, by these, which
// are taken before it is loaded.

export const { parse: parseJson, stringify: stringifyJson } = JSON;

/** Milliseconds since the epoch. */
export const { now: timeNow } = Date;
