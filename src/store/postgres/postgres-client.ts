import pg from 'pg';

/**
 * The driver's client, which hangs up when it cannot connect. By itself it stays on the line where the fault is its own,
 * as without a password, and keeps the process alive until the server loses patience.
 */
export class Client extends pg.Client {
  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    if (callback === undefined) return super.connect() as Promise<this>;
    super.connect((error: Error) => {
      if (error) this.connection.stream.destroy();
      callback(error);
    });
    return undefined;
  }
}
