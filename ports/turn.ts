/** The request for which something is made. */
export interface Origin {
  /** The id of the request: what is made elsewhere carries it as a tag. */
  requestId?: string;
  /** Aborted when the client that waits has left. */
  left?: AbortSignal;
}

/** Whose turn it is to have costly work done: sources are served in turn, and work that waits is dropped when its client has left. */
export interface Turn extends Origin {
  source: string;
}
