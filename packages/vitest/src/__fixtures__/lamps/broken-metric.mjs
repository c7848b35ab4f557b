export const judged = () => {
  throw new Error('the judge is down');
};
