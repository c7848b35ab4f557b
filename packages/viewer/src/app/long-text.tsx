import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { formatBytes } from './format.ts';

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
