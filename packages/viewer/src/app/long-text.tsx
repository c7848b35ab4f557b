import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { formatBytes } from './format.ts';

/** More than this is shown when it is asked for. */
export const TEXT_SHOWN = 6000;

/** Text as it was written, never markup. Long text is cut until somebody wants it whole. */
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

/** Whether everything inside is shown: folds are open, and texts and lists are not cut. */
export const Whole = createContext(false);
