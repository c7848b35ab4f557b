import { useEffect, useState } from 'preact/hooks';

/** Formats an address for the page's hash, such as `#/runs/a?cases=all`. Steps may contain any text. */
export function formatAddress(steps: readonly string[], query = new URLSearchParams()): string {
  const search = query.toString();
  return `#/${steps.map((step) => encodeURIComponent(wellFormed(step))).join('/')}${search === '' ? '' : `?${search}`}`;
}

export function parseAddress(hash: string): { readonly steps: readonly string[]; readonly query: URLSearchParams } {
  const [path = '', ...rest] = hash.replace(/^#/, '').split('?');
  return { steps: path.split('/').slice(1).map(unescaped), query: new URLSearchParams(rest.join('?')) };
}

/** Replaces lone surrogates, which cannot occur in a URL, with the replacement character. */
export function wellFormed(text: string): string {
  return text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');
}

/** Decodes percent-encoding. Text that is not properly encoded is returned as is. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Listens for changes of the address. Returns a function that stops listening. */
export function onAddress(follow: () => void): () => void {
  addEventListener('popstate', follow);
  addEventListener('hashchange', follow);
  return () => {
    removeEventListener('popstate', follow);
    removeEventListener('hashchange', follow);
  };
}

/**
 * Keeps a view in sync with the address. If the page is not allowed to change its address, the view changes anyway.
 * Links are handled here as well, because in a `srcdoc` frame the browser would resolve them against the embedding
 * page.
 *
 * @param base The prefix of this view's addresses. Default: any address.
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
      // The frame has no address of its own, or there were too many changes in a short time.
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
