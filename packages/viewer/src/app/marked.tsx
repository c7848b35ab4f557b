import type { Piece } from '../word-diff.ts';
import { visible } from './format.ts';

/** A text whose differences are marked by elements, not just by colour. */
export function Marked(props: {
  readonly pieces: readonly Piece[];
  readonly as: 'ins' | 'del';
  readonly code?: boolean;
}) {
  const Mark = props.as;
  const shown = (text: string) => (props.code === true ? visible(text) : text);
  return (
    <>
      {props.pieces.map(({ text, changed }, place) =>
        changed ? <Mark key={place}>{shown(text)}</Mark> : <span key={place}>{shown(text)}</span>,
      )}
    </>
  );
}

/** A text with its search matches marked. */
export function Found({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  if (words.length === 0) return <>{text}</>;
  const any = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'gi');
  return <>{text.split(any).map((piece, place) => (place % 2 === 1 ? <mark key={place}>{piece}</mark> : piece))}</>;
}
