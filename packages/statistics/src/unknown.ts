/** What a function gives where the quantity does not exist. Never a 0, never an interval of zero width in its place. */
export interface Unknown {
  /** Why it is unknown, as a clause: "one value has no spread: at least two are needed". */
  readonly unknown: string;
}

/** Whether a result is unknown. Narrows, so that what remains is the number or the object of numbers. */
export function isUnknown(result: unknown): result is Unknown {
  return typeof result === 'object' && result !== null && 'unknown' in result;
}

export function unknown(reason: string): Unknown {
  return { unknown: reason };
}
