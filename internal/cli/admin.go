package cli

import "github.com/spf13/cobra"

// newAdmin groups the commands that look after an installation.
func newAdmin(o *settings) *cobra.Command { return newCommandGroup("admin", adminCommands(o)...) }

// adminCommands are made anew for each place where they stand: under admin, and hidden
// under the names they had before.
func adminCommands(o *settings) []*cobra.Command {
	return []*cobra.Command{newReembed(o), newSnapshots(o), newGolden(o), newReady(o), newMan(o)}
}

// hideCommands makes commands work without showing them in help.
func hideCommands(commands []*cobra.Command) []*cobra.Command {
	for _, cmd := range commands {
		cmd.Hidden = true
	}
	return commands
}

// Groups of commands in the help of the program.
const (
	dailyGroup  = "daily"
	dataGroup   = "data"
	serverGroup = "server"
)

// Help lists the commands of a group as they are added: what is needed first stands first.
func init() { cobra.EnableCommandSorting = false }

// addCommandGroups adds the commands of each group to the program.
func addCommandGroups(root *cobra.Command, groups map[string][]*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: dailyGroup, Title: "Every day:"}, &cobra.Group{ID: dataGroup, Title: "Your data:"}, &cobra.Group{ID: serverGroup, Title: "Server and setup:"})
	for id, commands := range groups {
		for _, cmd := range commands {
			cmd.GroupID = id
			root.AddCommand(cmd)
		}
	}
	root.SetHelpCommandGroupID(serverGroup)
	root.SetCompletionCommandGroupID(serverGroup)
}
