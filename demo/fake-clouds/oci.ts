import { createHash, createPublicKey, generateKeyPair, type KeyObject, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { type FakeBehaviour, type FakeCall, type FakeReply, FakeServer } from './fake-server.ts';
import { checkSignature } from './oci-signature.ts';
import { OciError, ocid, Vault, type VaultKey } from './oci-vault.ts';

const generate = promisify(generateKeyPair);
const ROOT = '/20180608';

/** A user with an API key, as an administrator of the tenancy registers it. */
export interface OciUser {
  tenancyId: string;
  compartmentId: string;
  userId: string;
  fingerprint: string;
  signingKeyPem: string;
}

/** What an operation works with. */
interface Operation {
  call: FakeCall;
  tenancy: string;
  /** The part of the path after `keys`. */
  keyId: string;
  versionId: string;
  details: Record<string, unknown>;
}

type Answer = { status?: number; body: Record<string, unknown> };

/**
 * A fake of Oracle OCI Vault: a management and a crypto endpoint that verify the signatures of requests and hold real
 * keys. Its answers and errors have the shapes of the service.
 */
export class FakeOci {
  readonly vault = new Vault();
  readonly #users = new Map<string, { key: KeyObject; tenancy: string }>();
  readonly #compartments = new Map<string, string>();
  #management: FakeServer | undefined;
  #crypto: FakeServer | undefined;
  /** The clock of the service, in milliseconds since the epoch. */
  now: () => number = Date.now;

  /** Starts the endpoints. */
  static async start(): Promise<FakeOci> {
    const fake = new FakeOci();
    fake.#management = await FakeServer.start(fake.#behaviour('management'));
    fake.#crypto = await FakeServer.start(fake.#behaviour('crypto'));
    return fake;
  }

  get management(): FakeServer {
    return started(this.#management);
  }

  get crypto(): FakeServer {
    return started(this.#crypto);
  }

  /** Registers a new user with an API key, in a new tenancy unless one is given. */
  async newUser(tenancyId: string = ocid('tenancy', '')): Promise<OciUser> {
    const { publicKey, privateKey } = await generate('rsa', { modulusLength: 2048 });
    const der = publicKey.export({ format: 'der', type: 'spki' });
    const fingerprint = (createHash('md5').update(der).digest('hex').match(/../g) ?? []).join(':');
    const user = { tenancyId, compartmentId: ocid('compartment', ''), userId: ocid('user', ''), fingerprint };
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    this.#users.set(`${tenancyId}/${user.userId}/${fingerprint}`, { key, tenancy: tenancyId });
    this.#compartments.set(user.compartmentId, tenancyId);
    const signingKeyPem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    return { ...user, signingKeyPem };
  }

  /** The `config` of a request to create a key as a user. */
  configOf(user: OciUser): Record<string, string> {
    return { ...user, managementEndpoint: this.management.url, cryptoEndpoint: this.crypto.url };
  }

  /** All calls to both endpoints since the last reset. */
  get callCount(): number {
    return this.management.calls.length + this.crypto.calls.length;
  }

  /** Forgets calls and faults. */
  reset(): void {
    this.management.reset();
    this.crypto.reset();
    this.vault.readsUntilEnabled = 1;
  }

  async close(): Promise<void> {
    await Promise.all([this.management.close(), this.crypto.close()]);
  }

  /** What an endpoint answers to a call. */
  answer(endpoint: keyof typeof OPERATIONS, call: FakeCall): Promise<FakeReply> {
    return this.#answer(call, OPERATIONS[endpoint]).catch(errorReply);
  }

  #behaviour(endpoint: keyof typeof OPERATIONS): FakeBehaviour {
    return {
      answer: (call) => this.answer(endpoint, call),
      throttled: () => errorReply({ status: 429, code: 'TooManyRequests', message: 'Too many requests for the user.' }),
      failed: () => errorReply({ status: 500, code: 'InternalServerError', message: 'Internal error occurred.' }),
    };
  }

  async #answer(call: FakeCall, operations: readonly Row[]): Promise<FakeReply> {
    const checked = checkSignature(call, { publicKeyOf: (keyId) => this.#users.get(keyId)?.key, now: this.now() });
    if ('refusal' in checked) throw refusedSignature(checked.refusal);
    const tenancy = this.#users.get(checked.keyId)?.tenancy ?? '';
    for (const [method, pattern, work] of operations) {
      const match = method === call.method ? pattern.exec(call.path) : null;
      if (!match) continue;
      const [, keyId = '', versionId = ''] = match.map((part) => decodeURIComponent(part ?? ''));
      const { status = 200, body } = await work(this, {
        call,
        tenancy,
        keyId,
        versionId,
        details: detailsOf(call),
      });
      return reply(status, body, call);
    }
    throw new OciError({ status: 404, code: 'NotAuthorizedOrNotFound', message: 'Unknown resource' });
  }

  /** @throws OciError unless the compartment is one of the tenancy */
  requireCompartment(compartmentId: unknown, tenancy: string): void {
    if (this.#compartments.get(String(compartmentId)) === tenancy) return;
    throw new OciError({
      status: 404,
      code: 'NotAuthorizedOrNotFound',
      message: 'Authorization failed or requested resource not found.',
    });
  }

  /** A key as the service describes it. */
  describe({ tenancy: _, keyType: __, versions, readsLeft: ___, ...key }: VaultKey): Record<string, unknown> {
    return { ...key, vaultId: this.vault.id, currentKeyVersion: versions.at(-1)?.id, definedTags: {}, isPrimary: true };
  }
}

type Row = readonly [method: string, path: RegExp, work: (fake: FakeOci, operation: Operation) => Promise<Answer>];

/** The operations of the management endpoint. */
const MANAGEMENT: readonly Row[] = [
  [
    'POST',
    new RegExp(`^${ROOT}/keys$`),
    async (fake, { details, tenancy }) => {
      fake.requireCompartment(details.compartmentId, tenancy);
      return { body: fake.describe(await fake.vault.create(details, { tenancy, now: fake.now() })) };
    },
  ],
  [
    'GET',
    new RegExp(`^${ROOT}/keys/([^/]+)$`),
    async (fake, { keyId, tenancy }) => ({ body: fake.describe(fake.vault.look(keyId, tenancy)) }),
  ],
  [
    'GET',
    new RegExp(`^${ROOT}/keys/([^/]+)/keyVersions/([^/]+)$`),
    async (fake, { keyId, versionId, tenancy }) => {
      const { compartmentId, lifecycleState, versions } = fake.vault.find(keyId, tenancy);
      const version = versions.find(({ id }) => id === versionId);
      if (!version) throw new OciError({ status: 404, code: 'NotAuthorizedOrNotFound', message: 'No such version' });
      const { material, ...facts } = version;
      const publicKey = lifecycleState === 'CREATING' ? undefined : material?.pem;
      return { body: { ...facts, compartmentId, keyId, vaultId: fake.vault.id, publicKey, origin: 'INTERNAL' } };
    },
  ],
  [
    'POST',
    new RegExp(`^${ROOT}/keys/([^/]+)/actions/scheduleDeletion$`),
    async (fake, { keyId, tenancy, details }) => {
      const key = fake.vault.find(keyId, tenancy);
      return { body: fake.describe(fake.vault.scheduleDeletion(key, details, fake.now())) };
    },
  ],
];

/** The operations of the crypto endpoint. */
const CRYPTO: readonly Row[] = [
  [
    'POST',
    new RegExp(`^${ROOT}/sign$`),
    async (fake, { details, tenancy }) => ({ body: fake.vault.sign(details, tenancy) }),
  ],
];

const OPERATIONS = { management: MANAGEMENT, crypto: CRYPTO };

function detailsOf({ method, body }: FakeCall): Record<string, unknown> {
  if (method === 'GET') return {};
  try {
    return Object(JSON.parse(body.toString('utf8')));
  } catch {
    throw new OciError({ status: 400, code: 'CannotParseRequest', message: 'Incorrectly formatted request.' });
  }
}

const refusedSignature = (message: string) => new OciError({ status: 401, code: 'NotAuthenticated', message });

const reply = (status: number, body: unknown, call?: FakeCall): FakeReply => ({
  status,
  headers: {
    'content-type': 'application/json',
    'opc-request-id': `${call?.headers['opc-request-id'] ?? ''}/${randomUUID()}`,
  },
  body: JSON.stringify(body),
});

function errorReply(error: unknown): FakeReply {
  const { status = 500, code = 'InternalServerError', message = '' } = Object(error) as Partial<OciError>;
  return reply(status, { code, message });
}

function started(server: FakeServer | undefined): FakeServer {
  if (!server) throw new Error('The fake is not started');
  return server;
}
