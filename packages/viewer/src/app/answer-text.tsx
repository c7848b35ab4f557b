import { type ComponentType, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { MOST_RENDERED } from '../rendered-size.ts';
import { seemsMarkdown } from '../seems-markdown.ts';
import { useRaw } from './answer-form.tsx';
import { formatBytes } from './format.ts';
import { LongText, TEXT_SHOWN, Whole } from './long-text.tsx';

type View = ComponentType<{ readonly text: string }>;

let view: View | undefined;
let loading: Promise<void> | undefined;

/** Loads the renderer, so that the first answer need not be drawn twice. */
export function loadMarkdown(): Promise<void> {
  loading ??= import('./markdown-view.tsx').then(
    ({ MarkdownView }) => {
      view = MarkdownView;
    },
    () => {
      // Without the renderer, answers are shown as text, and the next answer tries again.
      loading = undefined;
    },
  );
  return loading;
}

function useView(isWanted: boolean): View | undefined {
  const [, redraw] = useState(false);
  useEffect(() => {
    if (isWanted && view === undefined) void loadMarkdown().then(() => redraw(true));
  }, [isWanted]);
  return isWanted ? view : undefined;
}

/** Whether answers are shown as text while something marks words in them. */
export const AsText = createContext(false);

/** A text of an agent or a judge, with its Markdown rendered unless the reader wants the raw text. */
export function AnswerText({ text, most = TEXT_SHOWN }: { readonly text: string; readonly most?: number }) {
  const [isAsked, setAsked] = useState(false);
  const isWhole = useContext(Whole) || isAsked || text.length <= most * 1.2;
  const isText = useContext(AsText);
  const raw = useRaw();
  const shown = isWhole ? text : `${text.slice(0, most)}…`;
  const View = useView(!raw && !isText && shown.length <= MOST_RENDERED && seemsMarkdown(shown));
  if (View === undefined) {
    return (
      <div class="text" dir="auto">
        <LongText text={text} most={isWhole ? Number.POSITIVE_INFINITY : most} />
      </div>
    );
  }
  return (
    <div class="md">
      <View text={shown} />
      {!isWhole && (
        <button type="button" class="more" onClick={() => setAsked(true)}>
          show all {formatBytes(text.length)}
        </button>
      )}
    </div>
  );
}
