/** Whose turn it is to have costly work done: sources are served in turn, and work that waits is dropped when its client has left. */
export interface Turn {
  source: string;
  left?: AbortSignal;
}
