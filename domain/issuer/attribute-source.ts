import type { ClientIdentity } from '../../ports/outbound.ts';
import type { JsonObject } from '../foundation/json.ts';

/** Where the attributes of a person come from when a credential is made, as profiles write it. */
export interface WrittenAttributeSource {
  /** Of the server that is asked. */
  url?: string;
  /** The name of the table that is read, in place of a server. */
  table?: string;
  /** The claim of the holder's login that names the person; the reference of the offer does where it is absent. */
  keyClaim?: string;
  /** Members of the answer, and the members of the data that they become. */
  claims: Record<string, string>;
  /** The JSON Schema of the answer. */
  schema?: JsonObject;
  timeoutSeconds?: number;
  /** The size of the largest accepted answer. */
  maxBytes?: number;
  /** A secret. */
  bearerToken?: string;
  /** A secret, under which requests are signed. */
  signingSecret?: string;
  /** What the server is shown, leaf first, with its key. */
  clientCertificate?: { certificates: string[]; privateKey: string };
  /** Whose certificate of the server is believed besides those of the system. */
  authorities?: string[];
}

/** Where the attributes of a person come from. */
export type AttributeSource = SharedSource & (HttpSource | { table: string; url?: undefined });

interface SharedSource extends Pick<WrittenAttributeSource, 'keyClaim' | 'schema'> {
  /** Members of the answer, and the members of the data that they become, both by the names on the way to them. */
  claims: { from: string[]; to: string[] }[];
}

/** A server that is asked. */
export interface HttpSource {
  url: string;
  timeoutMs: number;
  maxBytes: number;
  bearerToken?: string;
  signingSecret?: string;
  identity?: ClientIdentity;
}
