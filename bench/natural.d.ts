// natural declares types only for its main entry, which loads everything.
declare module 'natural/lib/natural/stemmers/porter_stemmer.js' {
  const stemmer: { stem(word: string): string };
  export default stemmer;
}
