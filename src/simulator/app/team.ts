/** The simulated workspace. */
export interface Team {
  id: string
  domain: string
  name: string
  /** The organization that the workspace belongs to. */
  enterprise?: {
    id: string
    name: string
    /** Whether the app is installed for the whole organization. */
    orgWide: boolean
    /** The ids of the organization's admins, who need not be admins of the workspace. */
    admins?: readonly string[]
  }
}
