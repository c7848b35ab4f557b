/** The attributes of a span or an event. Undefined ones are not written. */
export type OtlpAttributes = Readonly<Record<string, string | number | undefined>>;

/** A span, before its ids are known. */
export interface SpanDraft {
  readonly name: string;
  /** The span that it belongs to, or `null` for a root. */
  readonly parent: SpanDraft | null;
  readonly attributes: OtlpAttributes;
  /** Why the operation failed, or `undefined` if it did not. */
  readonly error?: string | undefined;
}

/** Writes attributes as OTLP's JSON has them. @param number The type of numbers. */
export function otlpAttributes(attributes: OtlpAttributes, number: 'intValue' | 'doubleValue'): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]): readonly object[] => {
    if (value === undefined) return [];
    if (typeof value === 'string') return [{ key, value: { stringValue: value } }];
    // 64-bit integers are texts in the JSON of Protobuf.
    return [{ key, value: number === 'intValue' ? { intValue: String(Math.round(value)) } : { doubleValue: value } }];
  });
}

/** Writes a time in milliseconds since the epoch as nanoseconds. */
export function nanoseconds(milliseconds: number): string {
  return `${BigInt(Math.round(milliseconds * 1000)) * 1000n}`;
}
