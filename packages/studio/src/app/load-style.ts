const loading = new Map<string, Promise<void>>();

/** Loads the style sheet of a view that few visits need. Settles once it applies, or cannot be loaded. */
export function loadStyle(name: string): Promise<void> {
  const known = loading.get(name);
  if (known !== undefined) return known;
  const loaded = new Promise<void>((settle) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = `/app/${name}.css`;
    link.onload = () => settle();
    link.onerror = () => {
      loading.delete(name);
      settle();
    };
    document.head.append(link);
  });
  loading.set(name, loaded);
  return loaded;
}
