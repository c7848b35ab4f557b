import { useEffect, useState } from 'preact/hooks';

/** Formats an address in the hash of the page, such as `#/runs/a?cases=all`. Steps may hold any text. */
export function formatAddress(steps: readonly string[], query = new URLSearchParams()): string {
  const search = query.toString();
  return `#/${steps.map((step) => encodeURIComponent(wellFormed(step))).join('/')}${search === '' ? '' : `?${search}`}`;
}

export function parseAddress(hash: string): { readonly steps: readonly string[]; readonly query: URLSearchParams } {
  const [path = '', ...rest] = hash.replace(/^#/, '').split('?');
  return { steps: path.split('/').slice(1).map(unescaped), query: new URLSearchParams(rest.join('?')) };
}

/** Replaces lone surrogates, which no URL can hold, by the replacement character. */
export function wellFormed(text: string): string {
  return text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');
}

/** Decodes percent-encoding; text that is not encoded properly stays as it is. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Listens to changes of the address. @returns a function that stops it. */
export function onAddress(follow: () => void): () => void {
  addEventListener('popstate', follow);
  addEventListener('hashchange', follow);
  return () => {
    removeEventListener('popstate', follow);
    removeEventListener('hashchange', follow);
  };
}

/**
 * Keeps a view in the address. If the page may not change its address, the view changes all the same. Links are followed
 * here, too: in a frame with `srcdoc`, the browser would look for their target in the page around it.
 *
 * @param base The beginning of addresses of this view. Default: any.
 */
export function useAddress<View>(parse: (hash: string) => View, format: (view: View) => string, base = '#') {
  const isOurs = (hash: string) => base === '#' || hash === base || hash.startsWith(`${base}/`);
  const [view, setView] = useState(() => parse(location.hash));
  const show = (next: View, how: 'after' | 'instead' = 'after') => {
    setView(next);
    try {
      if (how === 'instead') history.replaceState(null, '', format(next));
      else history.pushState(null, '', format(next));
    } catch {
      // A frame without an address of its own, or too many changes in a short time.
    }
  };
  useEffect(() => {
    const stop = onAddress(() => {
      if (isOurs(location.hash)) setView(parse(location.hash));
    });
    const click = (event: MouseEvent) => {
      const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
      const link = target instanceof Element ? target.closest('a[href^="#/"]') : null;
      const href = link?.getAttribute('href') ?? '';
      // Other buttons and modifiers open a new tab or window.
      if (link === null || !isOurs(href) || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
      event.preventDefault();
      show(parse(href));
    };
    addEventListener('click', click);
    return () => {
      stop();
      removeEventListener('click', click);
    };
  }, [base]);
  return [view, show] as const;
}
