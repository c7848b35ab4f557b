export const agent = () => {
  Promise.reject(new Error('lost'));
  return 'Hi';
};
