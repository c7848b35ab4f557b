import { localTime, visible } from './format.ts';

/** Allows line breaks after underscores in a name. */
export function breakable(name: string) {
  return visible(name)
    .split(/(?<=_)/)
    .map((piece, place) => [place > 0 && <wbr key={place} />, piece]);
}

/** A time, readable for people and programs. */
export function Time({ at }: { readonly at: number }) {
  const date = new Date(at);
  return <time dateTime={Number.isNaN(date.getTime()) ? '' : date.toISOString()}>{localTime(at)}</time>;
}
