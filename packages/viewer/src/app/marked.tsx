import type { Piece } from '../word-diff.ts';
import { visible } from './format.ts';

/** A text with its differences marked, for ears too. */
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
