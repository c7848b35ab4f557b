import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { Piece } from '../word-diff.ts';
import { formatBytes } from './format.ts';
import { Marked } from './marked.tsx';

/** Characters shown before a text is truncated. */
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

/** Whether all content inside is shown, without folds and truncation. */
export const Whole = createContext(false);

/** A paragraph in the direction of its own writing. @param props `most`: as in `LongText`; default: all of it. */
export function Prose(props: { readonly class?: string; readonly text: string; readonly most?: number }) {
  return (
    <p class={props.class} dir="auto">
      <LongText text={props.text} most={props.most ?? Number.POSITIVE_INFINITY} />
    </p>
  );
}

interface DiffedText {
  readonly text: string;
  /** The same text, with its differences marked. Default: plain text. */
  readonly pieces?: readonly Piece[] | undefined;
  readonly as?: 'ins' | 'del';
}

export function DiffText({ text, pieces, as = 'ins', most }: DiffedText & { readonly most?: number }) {
  return pieces === undefined ? <LongText text={text} most={most ?? TEXT_SHOWN} /> : <Marked pieces={pieces} as={as} />;
}

/** A text with its line breaks, in the direction of its own writing. */
export function TextBlock(props: DiffedText) {
  return (
    <div class="text" dir="auto">
      <DiffText {...props} />
    </div>
  );
}
