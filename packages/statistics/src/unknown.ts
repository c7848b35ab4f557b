/** The result of a function if the quantity does not exist. Never replaced by 0 or by an interval of zero width. */
export interface Unknown {
  /** The reason, as a clause: "one value has no spread: at least two are needed". */
  readonly unknown: string;
}

/** Whether a result is unknown. Narrows the type. */
export function isUnknown(result: unknown): result is Unknown {
  return typeof result === 'object' && result !== null && 'unknown' in result;
}

export function unknown(reason: string): Unknown {
  return { unknown: reason };
}
