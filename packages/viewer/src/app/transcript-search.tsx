import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { AsText } from './answer-text.tsx';
import { Whole } from './long-text.tsx';
import { rangesOf } from './ranges-of.ts';

const MOST = 2000;
/** Debounce delay in milliseconds. */
const PAUSE = 80;
/** The height at the window's edges that bars may cover, in pixels. */
const COVERED = 120;

/** Searches a conversation. While a search is active, all folds are open and no text is truncated. */
export function TranscriptSearch(props: {
  readonly isOn: boolean;
  close(): void;
  readonly children: ComponentChildren;
}) {
  const { isOn, close, children } = props;
  const [wanted, setWanted] = useState('');
  const root = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const words = isOn ? wanted : '';
  const { ranges, here, isCut, go } = useMatches(root, words);
  useLayoutEffect(() => {
    if (isOn) field.current?.focus();
  }, [isOn]);
  const told =
    ranges.length === 0
      ? 'Nothing found'
      : `${(here + 1).toLocaleString('en')} of ${ranges.length.toLocaleString('en')}${ranges.length >= MOST ? '+' : ''}`;
  return (
    <>
      {isOn && (
        <search class="transcript-search">
          <input
            ref={field}
            id="search"
            type="search"
            dir="auto"
            aria-label="Search the conversation"
            placeholder="Search the conversation"
            value={wanted}
            onInput={({ currentTarget: { value } }) => setWanted(value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.isComposing) go(event.shiftKey ? -1 : 1);
              if (event.key !== 'Escape') return;
              event.preventDefault();
              close();
            }}
          />
          <span class="note" role="status">
            {words.trim() !== '' && `${told}${isCut ? '; what is cut off is not searched' : ''}`}
          </span>
          <button type="button" class="quiet tool" aria-label="Previous match" onClick={() => go(-1)}>
            ↑
          </button>
          <button type="button" class="quiet tool" aria-label="Next match" onClick={() => go(1)}>
            ↓
          </button>
          <button type="button" class="quiet tool" aria-label="Close the search" onClick={close}>
            ✕
          </button>
        </search>
      )}
      <Whole.Provider value={words.trim() !== ''}>
        {/* Matches are found in the text that was written, of which rendering shows only a part. */}
        <AsText.Provider value={words.trim() !== ''}>
          <div ref={root} class="searched">
            {children}
          </div>
        </AsText.Provider>
      </Whole.Provider>
    </>
  );
}

/** Keeps matches up to date as the page changes. */
function useMatches(root: { readonly current: HTMLElement | null }, wanted: string) {
  const [ranges, setRanges] = useState<readonly Range[]>([]);
  const [here, setHere] = useState(0);
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    const { current } = root;
    if (current === null || wanted.trim() === '') {
      setRanges([]);
      return;
    }
    let isFirst = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      const found = rangesOf(current, wanted, MOST);
      setRanges(found);
      setCut(current.querySelector('.more') !== null);
      if (!isFirst) return;
      isFirst = false;
      const next = found.findIndex((range) => range.getBoundingClientRect().top >= 0);
      setHere(Math.max(next, 0));
      reveal(found[Math.max(next, 0)]);
    };
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(look, PAUSE);
    };
    soon();
    // Folds are only now being rendered, and answers may still be streaming in.
    const watcher = new MutationObserver(soon);
    watcher.observe(current, { childList: true, subtree: true, characterData: true });
    return () => {
      clearTimeout(timer);
      watcher.disconnect();
    };
  }, [wanted]);
  const at = Math.min(here, Math.max(ranges.length - 1, 0));
  useEffect(() => {
    mark(ranges, ranges[at]);
    return () => mark([], undefined);
  }, [ranges, at]);
  const go = (step: 1 | -1) => {
    if (ranges.length === 0) return;
    const next = (at + step + ranges.length) % ranges.length;
    setHere(next);
    reveal(ranges[next]);
  };
  return { ranges, here: at, isCut, go };
}

/** Highlights matches without modifying the page. Older browsers only select the current match. */
function mark(ranges: readonly Range[], current: Range | undefined): void {
  if (typeof Highlight === 'undefined') {
    const selection = getSelection();
    if (current !== undefined) {
      selection?.removeAllRanges();
      selection?.addRange(current);
    }
    return;
  }
  CSS.highlights.set('found', new Highlight(...ranges));
  const one = new Highlight(...(current === undefined ? [] : [current]));
  one.priority = 1;
  CSS.highlights.set('found-here', one);
}

/** Scrolls a match into view. */
function reveal(range: Range | undefined): void {
  if (range === undefined) return;
  for (let box = range.startContainer.parentElement; box !== null; box = box.parentElement) {
    if (box.scrollHeight <= box.clientHeight || !/auto|scroll/.test(getComputedStyle(box).overflowY)) continue;
    const { top } = range.getBoundingClientRect();
    const from = box.getBoundingClientRect().top;
    if (top < from || top > from + box.clientHeight - 20) box.scrollTop += top - from - box.clientHeight / 3;
  }
  const { top, bottom } = range.getBoundingClientRect();
  if (top < COVERED || bottom > innerHeight - COVERED / 3) scrollBy(0, top - innerHeight / 3);
}
