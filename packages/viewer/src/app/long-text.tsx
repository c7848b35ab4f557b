import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { Piece } from '../word-diff.ts';
import { formatBytes } from './format.ts';
import { Marked } from './marked.tsx';

/** The maximum number of characters shown of a text before it is truncated. */
export const TEXT_SHOWN = 6000;

/** Plain text. Long text is truncated until the reader expands it. */
export function LongText({ text, most = TEXT_SHOWN }: { readonly text: string; readonly most?: number }) {
  const [isAsked, setAsked] = useState(false);
  const isWhole = useContext(Whole);
  if (isAsked || isWhole || text.length <= most * 1.2) return <>{text}</>;
  return (
    <>
      {text.slice(0, most)}…{' '}
      <button type="button" class="more" onClick={() => setAsked(true)}>
        show all {formatBytes(text.length)}
      </button>
    </>
  );
}

/** Whether all content inside is shown, with no folding or truncation. */
export const Whole = createContext(false);

/** A paragraph in its own writing direction. `most` works as in `LongText`, but by default the whole text is shown. */
export function Prose(props: { readonly class?: string; readonly text: string; readonly most?: number }) {
  return (
    <p class={props.class} dir="auto">
      <LongText text={props.text} most={props.most ?? Number.POSITIVE_INFINITY} />
    </p>
  );
}

interface DiffedText {
  readonly text: string;
  /** The same text as pieces, with differences marked. Default: plain text. */
  readonly pieces?: readonly Piece[] | undefined;
  readonly as?: 'ins' | 'del';
}

export function DiffText({ text, pieces, as = 'ins', most }: DiffedText & { readonly most?: number }) {
  return pieces === undefined ? <LongText text={text} most={most ?? TEXT_SHOWN} /> : <Marked pieces={pieces} as={as} />;
}

/** A text with its line breaks, in its own writing direction. */
export function TextBlock(props: DiffedText) {
  return (
    <div class="text" dir="auto">
      <DiffText {...props} />
    </div>
  );
}
