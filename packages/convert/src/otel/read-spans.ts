import { isObject } from '@agent-criteria/formats';
import { fieldOf } from '@agent-criteria/formats/schema';
import { type Fields, objectIn, objectsIn } from '../fields.ts';
import type { Attributes, SpanEvent, TraceSpan } from './trace-span.ts';

/** A log record that belongs to a span. */
export interface SpanLog extends SpanEvent {
  readonly traceId: string;
  readonly spanId: string;
}

/** The spans and the log records of an export. */
export interface ReadSpans {
  readonly spans: readonly TraceSpan[];
  readonly logs: readonly SpanLog[];
}

/** Whether a value is an export of traces: OTLP as JSON, with the names of any release, or a trace of Jaeger. */
export function isTraces(value: unknown): value is Fields {
  if (!isObject(value)) return false;
  if (typeof value.traceID === 'string' && Array.isArray(value.spans)) return true;
  return ['resource_spans', 'batches', 'resource_logs'].some((key) => Array.isArray(fieldOf(value, key)));
}

/** Reads the spans of an export, in its order. @param where The place in the file. */
export function readSpans(value: Fields, where: string): ReadSpans {
  if (typeof value.traceID === 'string') return { spans: jaegerSpans(value, where), logs: [] };
  const groups = [...listAt(value, 'resource_spans'), ...listAt(value, 'batches')];
  const spans = groups.flatMap((group) =>
    [...listAt(group, 'scope_spans'), ...listAt(group, 'instrumentation_library_spans')]
      .flatMap((scope) => listAt(scope, 'spans'))
      .map((span) => otlpSpan(span, attributesOf(fieldOf(objectAt(group, 'resource'), 'attributes')), where)),
  );
  const logs = listAt(value, 'resource_logs')
    .flatMap((group) => listAt(group, 'scope_logs'))
    .flatMap((scope) => listAt(scope, 'log_records'))
    .map(otlpLog);
  return { spans, logs };
}

function otlpSpan(span: Fields, resource: Attributes, where: string): TraceSpan {
  const parent = idOf(fieldOf(span, 'parent_span_id'));
  const events = listAt(span, 'events').map((event) => ({
    name: String(event.name ?? ''),
    attributes: attributesOf(event.attributes),
  }));
  const attributes = attributesOf(span.attributes);
  const { code, message } = objectAt(span, 'status');
  const hasFailed = code === 2 || code === 'STATUS_CODE_ERROR';
  return {
    traceId: idOf(fieldOf(span, 'trace_id')),
    id: idOf(fieldOf(span, 'span_id')),
    parentId: parent === '' ? null : parent,
    name: String(span.name ?? ''),
    startedAt: milliseconds(fieldOf(span, 'start_time_unix_nano')),
    endedAt: milliseconds(fieldOf(span, 'end_time_unix_nano')),
    // Those of the process count where the span has none.
    attributes: new Map([...resource, ...attributes]),
    events,
    error: hasFailed ? errorText(typeof message === 'string' ? message : '', attributes, events) : null,
    where,
  };
}

function otlpLog(record: Fields): SpanLog {
  const body = decoded(record.body);
  const named = fieldOf(record, 'event_name');
  const attributes = new Map([...(isObject(body) ? Object.entries(body) : []), ...attributesOf(record.attributes)]);
  const name = typeof named === 'string' && named !== '' ? named : String(attributes.get('event.name') ?? '');
  return { name, attributes, traceId: idOf(fieldOf(record, 'trace_id')), spanId: idOf(fieldOf(record, 'span_id')) };
}

function errorText(message: string, attributes: Attributes, events: readonly SpanEvent[]): string {
  const thrown = events.find(({ name }) => name === 'exception')?.attributes.get('exception.message');
  return [message, thrown, attributes.get('error.type')].map((one) => String(one ?? '')).find(Boolean) ?? 'it failed';
}

function jaegerSpans(trace: Fields, where: string): readonly TraceSpan[] {
  return listAt(trace, 'spans').map((span) => {
    const attributes = tagsOf(span.tags);
    const parent = listAt(span, 'references').find(({ refType }) => refType === 'CHILD_OF');
    const startedAt = Number(span.startTime ?? 0) / 1000;
    const events = listAt(span, 'logs').map((log) => {
      const own = tagsOf(log.fields);
      return { name: String(own.get('event') ?? ''), attributes: own };
    });
    const hasFailed = attributes.get('error') === true || attributes.get('otel.status_code') === 'ERROR';
    const message = String(attributes.get('otel.status_description') ?? '');
    return {
      traceId: String(trace.traceID),
      id: String(span.spanID ?? ''),
      parentId: typeof parent?.spanID === 'string' ? parent.spanID : null,
      name: String(span.operationName ?? ''),
      startedAt,
      endedAt: startedAt + Number(span.duration ?? 0) / 1000,
      attributes,
      events,
      error: hasFailed ? errorText(message, attributes, events) : null,
      where,
    };
  });
}

function tagsOf(tags: unknown): Attributes {
  return new Map(objectsIn(tags).map(({ key, value }) => [String(key), value]));
}

function attributesOf(attributes: unknown): Attributes {
  return new Map(objectsIn(attributes).map(({ key, value }) => [String(key), decoded(value)]));
}

/** Decodes a value of OTLP, in which every type has a key of its own. */
function decoded(value: unknown): unknown {
  if (!isObject(value)) return undefined;
  const [kind = ''] = Object.keys(value);
  const inner = value[kind];
  switch (kind.replaceAll('_', '').toLowerCase()) {
    case 'intvalue':
    case 'doublevalue':
      return Number(inner);
    case 'arrayvalue':
      return objectsIn(objectIn(inner).values).map(decoded);
    case 'kvlistvalue':
      return Object.fromEntries(attributesOf(objectIn(inner).values));
    default:
      return inner;
  }
}

/** Ids are hexadecimal in OTLP as JSON; some writers leave them in base64 as in Protobuf's own JSON. */
function idOf(id: unknown): string {
  return typeof id === 'string' ? id : '';
}

function milliseconds(nanoseconds: unknown): number {
  const text = String(nanoseconds ?? '0');
  // Nanoseconds since the epoch are larger than the integers that a number holds exactly.
  return /^\d+$/.test(text) ? Number(BigInt(text) / 1000n) / 1000 : 0;
}

function listAt(value: Fields, key: string): readonly Fields[] {
  return objectsIn(fieldOf(value, key));
}

function objectAt(value: Fields, key: string): Fields {
  return objectIn(fieldOf(value, key));
}
