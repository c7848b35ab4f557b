import { localTime, visible } from './format.ts';

/** A name that may be broken after each underscore. */
export function breakable(name: string) {
  return visible(name)
    .split(/(?<=_)/)
    .map((piece, place) => [place > 0 && <wbr key={place} />, piece]);
}

/** A time, also in a form for programs. */
export function Time({ at }: { readonly at: number }) {
  const date = new Date(at);
  return <time dateTime={Number.isNaN(date.getTime()) ? '' : date.toISOString()}>{localTime(at)}</time>;
}
