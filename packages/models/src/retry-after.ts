import { errorOf, type FailureFacts } from './failure-facts.ts';

/**
 * Returns the wait that a server requests, in milliseconds: from `retry-after-ms`, `Retry-After` in seconds or as a
 * date, or the RetryInfo in Google's errors, whichever is longest.
 */
export function retryAfter({ header, body }: Pick<FailureFacts, 'header' | 'body'>): number | undefined {
  const waits = [inMilliseconds(header('retry-after-ms')), inSeconds(header('retry-after')), fromRetryInfo(body)];
  const known = waits.filter((wait) => wait !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

function inMilliseconds(text: string | undefined): number | undefined {
  return text !== undefined && isNumber(text) ? Math.ceil(Number(text)) : undefined;
}

function inSeconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (isNumber(text)) return Math.ceil(Number(text) * 1000);
  // `Date.parse` accepts almost any text.
  const at = /^\s*[a-z]{3,9},? /i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

function isNumber(text: string): boolean {
  return /^\s*\d{1,12}(?:\.\d{1,12})?\s*$/.test(text);
}

/** Reads `{ "@type": ".../google.rpc.RetryInfo", "retryDelay": "27s" }`. */
function fromRetryInfo(body: unknown): number | undefined {
  for (const detail of detailsOf(body, 'RetryInfo')) {
    const seconds = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(String(detail.retryDelay))?.[1];
    if (seconds !== undefined) return Math.ceil(Number(seconds) * 1000);
  }
  return undefined;
}

/** Finds the details of a given type in a Google error. */
export function detailsOf(body: unknown, type: string): Record<string, unknown>[] {
  const details = errorOf(body)?.details;
  if (!Array.isArray(details)) return [];
  return details.filter(
    (detail) => typeof detail === 'object' && detail !== null && String(detail['@type']).endsWith(`.${type}`),
  );
}
