import { randomBytes } from 'node:crypto';
import { FakeAwsService } from './aws-service.ts';
import { FakeServer } from './fake-server.ts';
import { FakeInstanceMetadata, type RoleSession } from './instance-metadata.ts';

/** The region whose keys a fake has by default, and another one. */
const REGION = 'eu-central-1';
const REGIONS = [REGION, 'us-east-1'];
const ROLE = 'credenza-issuer';
const SESSION_MS = 6 * 3_600_000;

/** AWS KMS and the metadata service of an instance, as two servers on loopback. */
export interface FakeAws {
  service: FakeAwsService;
  server: FakeServer;
  metadata: FakeInstanceMetadata;
  metadataServer: FakeServer;
  /** The members of `kmsa` in kms.conf that lead to the fake. */
  settings: { endpoint: string; metadataEndpoint: string };
  /** The `config` of a key with a new access key that is permitted everything. */
  config(): { auth: { accessKeyId: string; secretAccessKey: string; region: string } };
  /** The `config` of a key with the role of the instance. */
  roleConfig(): { auth: { roleName: string; region: string } };
  close(): Promise<void>;
}

/** Starts the fake. `now` is the time that the expiry of role credentials is counted from. */
export async function startFakeAws(now: () => number = Date.now): Promise<FakeAws> {
  const service = new FakeAwsService([...REGIONS]);
  const metadata = new FakeInstanceMetadata(ROLE, () => newSession(service, now() + SESSION_MS));
  const [server, metadataServer] = await Promise.all([FakeServer.start(service), FakeServer.start(metadata)]);
  return {
    service,
    server,
    metadata,
    metadataServer,
    settings: { endpoint: server.url, metadataEndpoint: metadataServer.url },
    config: () => ({ auth: { ...newAccessKey(service), region: REGION } }),
    roleConfig: () => ({ auth: { roleName: ROLE, region: REGION } }),
    close: async () => void (await Promise.all([server.close(), metadataServer.close()])),
  };
}

const newAccessKeyId = (prefix: string): string => prefix + randomBytes(8).toString('hex').toUpperCase();

function newAccessKey(service: FakeAwsService): { accessKeyId: string; secretAccessKey: string } {
  const [accessKeyId, secretAccessKey] = [newAccessKeyId('AKIA'), randomBytes(30).toString('base64')];
  service.accessKeys.set(accessKeyId, { secretAccessKey });
  return { accessKeyId, secretAccessKey };
}

function newSession(service: FakeAwsService, expiresAt: number): RoleSession {
  const accessKeyId = newAccessKeyId('ASIA');
  const [secretAccessKey, sessionToken] = [randomBytes(30).toString('base64'), randomBytes(60).toString('base64')];
  service.accessKeys.set(accessKeyId, { secretAccessKey, sessionToken });
  return { accessKeyId, secretAccessKey, sessionToken, expiresAt };
}
