import { visible } from './format.ts';

/** A name that may be broken after each underscore. */
export function breakable(name: string) {
  return visible(name)
    .split(/(?<=_)/)
    .map((piece, place) => [place > 0 && <wbr key={place} />, piece]);
}
