import { useEffect, useState } from 'preact/hooks';
import { seemsMarkdown } from '../seems-markdown.ts';

/** Whether answers are shown as the text that the agent wrote, in the whole application. */
let isRaw = false;
let keep: ((raw: boolean) => void) | undefined;
const redraws = new Set<() => void>();

/** Sets the choice to begin with, and a function that keeps it. Reports begin with rendered answers, and keep nothing. */
export function keepAnswers(raw: boolean, write: (raw: boolean) => void): void {
  isRaw = raw;
  keep = write;
}

export function useRaw(): boolean {
  const [, redraw] = useState(0);
  useEffect(() => {
    const own = () => redraw((times) => times + 1);
    redraws.add(own);
    return () => {
      redraws.delete(own);
    };
  }, []);
  return isRaw;
}

function choose(raw: boolean): void {
  isRaw = raw;
  keep?.(raw);
  for (const redraw of redraws) redraw();
}

/** A button that switches all answers between rendered Markdown and text, if any of these texts has Markdown. */
export function RawSwitch({ texts, of }: { readonly texts: readonly string[]; readonly of: string }) {
  const raw = useRaw();
  if (!texts.some(seemsMarkdown)) return null;
  return (
    <button
      type="button"
      class="quiet raw-switch"
      aria-pressed={raw}
      title="Shows all answers as the text that was written, without rendering its Markdown"
      onClick={() => choose(!raw)}
    >
      Raw<span class="unseen"> text of {of}</span>
    </button>
  );
}
