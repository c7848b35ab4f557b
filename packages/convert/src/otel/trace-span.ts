/** A span of a trace, whatever it was exported with. */
export interface TraceSpan {
  readonly traceId: string;
  readonly id: string;
  /** `null` for the root of a trace. */
  readonly parentId: string | null;
  readonly name: string;
  /** Milliseconds since the epoch, with fractions. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  /** Why the operation failed, or `null` if it did not. */
  readonly error: string | null;
  /** The place in the file that it was read from. */
  readonly where: string;
}

export interface SpanEvent {
  readonly name: string;
  readonly attributes: Attributes;
}

export type Attributes = ReadonlyMap<string, unknown>;

/** Returns the text of the first of these attributes that has one. */
export function textAt({ attributes }: Pick<TraceSpan, 'attributes'>, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = attributes.get(name);
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** Returns the value of the first of these attributes that is set. Values may be structured, or JSON in a text. */
export function valueAtAttribute(attributes: Attributes, ...names: readonly string[]): unknown {
  for (const name of names) {
    const value = attributes.get(name);
    if (value === undefined || value === null || value === '') continue;
    return typeof value === 'string' ? (parsed(value) ?? value) : value;
  }
  return undefined;
}

/** Returns the object or list that a text holds as JSON, or `undefined` for any other text. */
export function parsed(text: string): unknown {
  if (!/^\s*[[{"]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
