import { localTime, visible } from './format.ts';

/** Allows a name to wrap after underscores. */
export function breakable(name: string) {
  return visible(name)
    .split(/(?<=_)/)
    .map((piece, place) => [place > 0 && <wbr key={place} />, piece]);
}

/** A time, readable by people and programs. */
export function Time({ at }: { readonly at: number }) {
  const date = new Date(at);
  return <time dateTime={Number.isNaN(date.getTime()) ? '' : date.toISOString()}>{localTime(at)}</time>;
}
