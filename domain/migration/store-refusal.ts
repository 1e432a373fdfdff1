/** A reason for which a program must not use a store. The message is for operators and names what to do. */
export class StoreRefusal extends Error {
  /** The reason in a sentence for callers. */
  readonly answer: string;

  constructor(answer: string, message: string) {
    super(message);
    this.name = 'StoreRefusal';
    this.answer = answer;
  }
}
